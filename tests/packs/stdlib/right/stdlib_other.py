"""Right answers of another kind: other types inside, other ways, other rounding."""

from stdlib_course.stdlib import *


def share(part, among):
    return Fraction(part.numerator, part.denominator * among)


def total_price(price, count):
    return sum([price] * count, Decimal("0.00")).quantize(Decimal("0.01"))


def letters(word):
    counts = Counter()
    for letter in reversed(word):
        counts[letter] += 1
    return counts


def next_week(day):
    return date.fromordinal(day.toordinal() + 7)


def starts_at(day, minutes):
    return datetime(day.year, day.month, day.day, minutes // 60, minutes % 60, tzinfo=timezone.utc)


def clock(minutes):
    return (datetime(2000, 1, 1) + timedelta(minutes=minutes)).time()


def waited(minutes):
    return timedelta(0, 60 * minutes)


def spelled(word):
    return bytes(map(ord, word))


def buffer(word):
    return bytearray(map(ord, word))


def turned(real, imaginary):
    return 1j * complex(real, imaginary)


def odd_numbers(limit):
    return range(limit)[1::2]


def letters_used(word):
    return frozenset(letter for letter in reversed(word))


def latest(word, count):
    found = deque(maxlen=count)
    for letter in word:
        found.append(letter)
    return found


def by_length(words):
    found = defaultdict(lambda: [])
    for length in sorted({len(word) for word in words}):
        found[length] = [word for word in words if len(word) == length]
    return found


def first_seen(word):
    found = OrderedDict()
    for place, letter in enumerate(word):
        found.setdefault(letter, place)
    return found


def evens(limit):
    return filter(lambda number: number % 2 == 0, iter(range(limit)))


def multiples(number):
    import itertools

    return (number * place for place in itertools.count())


def without(items, item):
    found = list(items)
    while item in found:
        found.remove(item)
    return found


def emptied(basket):
    import copy

    other = copy.deepcopy(basket)
    other.fruits = []
    return other


def sort_in_place(items):
    items[:] = sorted(items)


def clipped(number, /, *, low, high=3):
    if number < low:
        number = low
    return high if number > high else number


def summed(first, *more):
    return sum((first, *more))


def mean(readings):
    import math

    return math.fsum(reading / len(readings) for reading in readings) if readings else 0.0


def summary(readings):
    import math

    return {"halves": [0.5 * each for each in readings], "count": len(readings), "sum": math.fsum(readings)}


def mixed(word):
    orders = ["".join(sorted(word)), *(word[-place:] + word[:-place] for place in range(1, len(word)))]
    others = [each for each in orders if each != word and each != word[::-1]]
    return others[0] if others else word[::-1]
