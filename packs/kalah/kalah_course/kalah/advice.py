"""Examples of advice are about houses and seeds."""

from course.diagnoses import UnitAdvice

ADVICE = UnitAdvice({"item": "house", "items": "houses", "value": "seeds"})
