"""The parts of exams that cannot be derived: strategies, special inputs, acceptance relations.

Each unit has a package.
"""

import os

# loading strategies of other packages, such as pydantic's, takes long
os.environ.setdefault("HYPOTHESIS_NO_PLUGINS", "1")
