"""The parts of exams that cannot be derived: strategies, special inputs, acceptance relations. One module per unit."""

import os

# loading strategies of other packages, such as pydantic's, takes long
os.environ.setdefault("HYPOTHESIS_NO_PLUGINS", "1")
