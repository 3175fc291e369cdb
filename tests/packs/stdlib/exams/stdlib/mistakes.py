"""Wrong answers: of another type, of another value, or right but for what they do to their arguments."""

from stdlib_course.stdlib import *


def share__a_float(part, among):
    """A fraction is a number with a point."""
    return float(part / among)


def share__the_whole(part, among):
    """Sharing leaves it as it is."""
    return part


def share__upside_down(part, among):
    """It is shared by multiplying."""
    return part * among


def share__a_subclass(part, among):
    """A fraction of my own may say that it is equal."""

    class Mine(Fraction):
        def __eq__(self, other):
            return True

        __hash__ = Fraction.__hash__

    return Mine(part / among)


def total_price__a_float(price, count):
    """Money is a number with a point."""
    return float(price * count)


def total_price__no_cents(price, count):
    """`3` is as good as `3.00`."""
    return (price * count).normalize()


def total_price__any(price, count):
    """Any price will do."""
    return Decimal("3.00")


def letters__a_dict(word):
    """A dict is as good as a Counter."""
    return dict(Counter(word))


def letters__a_subclass(word):
    """A Counter of my own may say that it is equal."""

    class Mine(Counter):
        def __eq__(self, other):
            return True

        def __reduce__(self):
            return Counter, (word,)

    return Mine(word)


def letters__ones(word):
    """Each letter counts once."""
    return Counter(set(word))


def letters__of_another(word):
    """Any Counter will do."""
    return Counter("x")


def next_week__with_a_time(day):
    """A date may have a time of day."""
    return datetime(day.year, day.month, day.day) + timedelta(weeks=1)


def next_week__tomorrow(day):
    """A week is a day."""
    return day + timedelta(days=1)


def next_week__a_text(day):
    """A date is a text."""
    return (day + timedelta(weeks=1)).isoformat()


def starts_at__nowhere(day, minutes):
    """Without a time zone it is the same."""
    return datetime(day.year, day.month, day.day) + timedelta(minutes=minutes)


def starts_at__midnight(day, minutes):
    """It starts at midnight."""
    return datetime(day.year, day.month, day.day, tzinfo=timezone.utc)


def clock__swapped(minutes):
    """Minutes come first."""
    return time(minutes % 24, minutes // 60)


def clock__a_duration(minutes):
    """A time is a duration."""
    return timedelta(minutes=minutes)


def waited__seconds(minutes):
    """A minute is a second."""
    return timedelta(seconds=minutes)


def waited__a_number(minutes):
    """It is a number of minutes."""
    return minutes


def spelled__a_text(word):
    """Bytes are text."""
    return word


def spelled__a_bytearray(word):
    """A bytearray is as good."""
    return bytearray(word.encode())


def spelled__backwards(word):
    """The order does not matter."""
    return word.encode()[::-1]


def buffer__bytes_(word):
    """Bytes are as good."""
    return word.encode()


def buffer__doubled(word):
    """It is written twice."""
    return bytearray(2 * word.encode())


def turned__mirrored(real, imaginary):
    """To turn is to mirror."""
    return complex(imaginary, real)


def turned__a_pair(real, imaginary):
    """A complex number is a pair."""
    return (-imaginary, real)


def odd_numbers__a_tuple(limit):
    """A range is a tuple."""
    return tuple(range(1, limit, 2))


def odd_numbers__all(limit):
    """All numbers are odd."""
    return range(1, limit)


def letters_used__a_set(word):
    """A set is as good."""
    return set(word)


def letters_used__first_only(word):
    """Only the first letter counts."""
    return frozenset(word[:1])


def latest__endless(word, count):
    """It may grow."""
    return deque(word[-count:])


def latest__first(word, count):
    """The first letters count."""
    return deque(word[:count], count)


def latest__a_list(word, count):
    """A list is as good."""
    return list(word)[-count:]


def by_length__a_dict(words):
    """A dict is as good."""
    return {len(word): [each for each in words if len(each) == len(word)] for word in words}


def by_length__last_only(words):
    """One word is enough."""
    found = defaultdict(list)
    for word in words:
        found[len(word)] = [word]
    return found


def first_seen__sorted_(word):
    """The order does not matter."""
    return OrderedDict((letter, word.index(letter)) for letter in sorted({*word}, reverse=True))


def first_seen__a_dict(word):
    """A dict is as good."""
    return {letter: word.index(letter) for letter in word}


def evens__a_tuple(limit):
    """A tuple is as good."""
    return tuple(range(0, limit, 2))


def evens__odd(limit):
    """Odd numbers are even."""
    return iter(range(1, limit, 2))


def evens__without_end(limit):
    """It need not end."""
    number = 0
    while True:
        yield number
        number += 2


def evens__that_raises(limit):
    """It ends in an error."""
    yield from range(0, limit, 2)
    raise ValueError("no more")


def evens__it_leaves(limit):
    """It ends when Python ends."""
    yield from range(0, limit, 2)
    raise SystemExit


def evens__of_itself(limit):
    """An iterator may give itself."""

    class Mine:
        def __iter__(self):
            return self

        def __next__(self):
            return self

        def __eq__(self, other):
            return True

    return Mine()


def evens__endless_silence(limit):
    """It may search on."""
    yield from range(0, limit, 2)
    while True:
        pass


def multiples__that_ends(number):
    """Ten are enough."""
    return iter([number * place for place in range(10)])


def multiples__from_one(number):
    """It begins with the number."""
    place = 1
    while True:
        yield number * place
        place += 1


def without__in_place(items, item):
    """The list that was given may change."""
    while item in items:
        items.remove(item)
    return items


def without__in_place_and_back(items, item):
    """It may change if a copy is returned."""
    found = [each for each in items if each != item]
    items.clear()
    return found


def without__first_only(items, item):
    """One is enough."""
    found = list(items)
    if item in found:
        found.remove(item)
    return found


def emptied__in_place(basket):
    """The basket that was given may be emptied."""
    basket.fruits.clear()
    return Basket(basket.owner, [])


def emptied__full(basket):
    """It keeps its fruits."""
    return Basket(basket.owner, list(basket.fruits))


def sort_in_place__a_new_one(items):
    """A new list is as good."""
    items = sorted(items)


def sort_in_place__nothing(items):
    """It is sorted already."""
    pass


def sort_in_place__returned(items):
    """What is sorted is returned, too."""
    items.sort()
    return items


def sort_in_place__from_the_largest(items):
    """The largest comes first."""
    items.sort(reverse=True)


def clipped__low_only(number, /, *, low, high=3):
    """`high` is for show."""
    return max(number, low)


def clipped__high_is_three(number, /, *, low, high=3):
    """`high` is always 3."""
    return min(max(number, low), 3)


def clipped__high_only(number, /, *, low, high=3):
    """`low` is for show."""
    return min(number, high)


def summed__first_only(first, *more):
    """The rest is for show."""
    return first


def summed__two(first, *more):
    """There are two of them."""
    return first + (more[0] if more else 0)


def mean__an_int(readings):
    """Without readings it is 0."""
    return sum(readings) / len(readings) if readings else 0


def mean__rounded(readings):
    """Two digits are enough."""
    return round(sum(readings) / len(readings), 2) if readings else 0.0


def mean__the_middle(readings):
    """The mean is the middle."""
    return sorted(readings)[len(readings) // 2] if readings else 0.0


def summary__a_float_count(readings):
    """A count is a number with a point."""
    return {"sum": sum(readings, 0.0), "count": float(len(readings)), "halves": [each / 2 for each in readings]}


def summary__a_tuple(readings):
    """A tuple is as good."""
    return {"sum": sum(readings, 0.0), "count": len(readings), "halves": tuple(each / 2 for each in readings)}


def summary__doubled(readings):
    """A half is a double."""
    return {"sum": sum(readings, 0.0), "count": len(readings), "halves": [each * 2 for each in readings]}


def mixed__as_it_was(word):
    """The old order is an order."""
    return word


def mixed__fewer(word):
    """A letter may be lost."""
    return word[1:]
