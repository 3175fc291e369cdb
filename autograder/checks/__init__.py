"""The parts of exams that can't be derived: strategies, special inputs, acceptance relations. One module per unit."""

import os

os.environ.setdefault("HYPOTHESIS_NO_PLUGINS", "1")  # imports of other strategies, such as pydantic's, take long
