"""The words that examples in advice use: houses and seeds."""

from course.diagnoses import UnitAdvice

ADVICE = UnitAdvice({"item": "house", "items": "houses", "value": "seeds"})
