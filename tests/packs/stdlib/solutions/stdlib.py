# %% [markdown]
# # Values of the standard library
#
# What a function returns is compared by type and by value.

# %%
from stdlib_course.stdlib import *

# %% [markdown]
# A lesson on `share`: its statement says all.


# %%
def share(part: Part, among: Few) -> Fraction:
    """Return what each has when `part` is shared equally: an exact fraction.

    >>> share(Fraction(1, 2), 3)
    Fraction(1, 6)
    """
    return part / among


# %% [markdown]
# A lesson on `total_price`: its statement says all.


# %%
def total_price(price: Price, count: Few) -> Decimal:
    """Return what `count` things cost at `price` each, to the cent: `Decimal("3.00")`.

    >>> total_price(Decimal("1.50"), 2)
    Decimal('3.00')
    """
    return (price * count).quantize(Decimal("0.01"))


# %% [markdown]
# A lesson on `letters`: its statement says all.


# %%
def letters(word: Word) -> Counter:
    """Return how often each letter is in `word`, as a `Counter`.

    >>> letters("abba")
    Counter({'a': 2, 'b': 2})
    """
    return Counter(word)


# %% [markdown]
# A lesson on `next_week`: its statement says all.


# %%
def next_week(day: Day) -> date:
    """Return the day that is a week after `day`.

    >>> next_week(date(2026, 12, 28)) == date(2027, 1, 4)
    True
    """
    return day + timedelta(weeks=1)


# %% [markdown]
# A lesson on `starts_at`: its statement says all.


# %%
def starts_at(day: Day, minutes: Minutes) -> datetime:
    """Return the moment so many minutes after midnight of `day`, in UTC.

    >>> starts_at(date(2026, 1, 1), 90) == datetime(2026, 1, 1, 1, 30, tzinfo=timezone.utc)
    True
    """
    return datetime(day.year, day.month, day.day, tzinfo=timezone.utc) + timedelta(minutes=minutes)


# %% [markdown]
# A lesson on `clock`: its statement says all.


# %%
def clock(minutes: Minutes) -> time:
    """Return the time of day so many minutes after midnight.

    >>> clock(90) == time(1, 30)
    True
    """
    return time(minutes // 60, minutes % 60)


# %% [markdown]
# A lesson on `waited`: its statement says all.


# %%
def waited(minutes: Minutes) -> timedelta:
    """Return how long so many minutes are.

    >>> waited(60) == timedelta(hours=1)
    True
    """
    return timedelta(minutes=minutes)


# %% [markdown]
# A lesson on `spelled`: its statement says all.


# %%
def spelled(word: Word) -> bytes:
    """Return `word` as bytes.

    >>> spelled("ab")
    b'ab'
    """
    return word.encode()


# %% [markdown]
# A lesson on `buffer`: its statement says all.


# %%
def buffer(word: Word) -> bytearray:
    """Return `word` as a bytearray.

    >>> buffer("ab")
    bytearray(b'ab')
    """
    return bytearray(word.encode())


# %% [markdown]
# A lesson on `turned`: its statement says all.


# %%
def turned(real: Few, imaginary: Few) -> complex:
    """Return the complex number turned by a quarter.

    >>> turned(1, 2)
    (-2+1j)
    """
    return complex(-imaginary, real)


# %% [markdown]
# A lesson on `odd_numbers`: its statement says all.


# %%
def odd_numbers(limit: Few) -> range:
    """Return the odd numbers below `limit`, as a range.

    >>> odd_numbers(6)
    range(1, 6, 2)
    """
    return range(1, limit, 2)


# %% [markdown]
# A lesson on `letters_used`: its statement says all.


# %%
def letters_used(word: Word) -> frozenset:
    """Return the letters of `word`, as a frozenset.

    >>> letters_used("abba") == frozenset("ab")
    True
    """
    return frozenset(word)


# %% [markdown]
# A lesson on `latest`: its statement says all.


# %%
def latest(word: Word, count: Few) -> deque:
    """Return the last `count` letters of `word`, as a deque that never holds more than these.

    >>> latest("abc", 2)
    deque(['b', 'c'], maxlen=2)
    """
    return deque(word, count)


# %% [markdown]
# A lesson on `by_length`: its statement says all.


# %%
def by_length(words: tuple[Word, ...]) -> defaultdict:
    """Return the words by their lengths, each a list in their order, in a defaultdict.

    >>> dict(by_length(("a", "b", "cc")))
    {1: ['a', 'b'], 2: ['cc']}
    """
    found = defaultdict(list)
    for word in words:
        found[len(word)].append(word)
    return found


# %% [markdown]
# A lesson on `first_seen`: its statement says all.


# %%
def first_seen(word: Word) -> OrderedDict:
    """Return where each letter of `word` is first, in this order, as an OrderedDict.

    >>> list(first_seen("abba").items())
    [('a', 0), ('b', 1)]
    """
    return OrderedDict((letter, word.index(letter)) for letter in dict.fromkeys(word))


# %% [markdown]
# A lesson on `evens`: its statement says all.


# %%
def evens(limit: Few) -> Iterator:
    """Return an iterator over the even numbers below `limit`.

    >>> tuple(evens(6))
    (0, 2, 4)
    """
    return (number for number in range(limit) if number % 2 == 0)


# %% [markdown]
# A lesson on `multiples`: its statement says all.


# %%
def multiples(number: Few) -> Iterator:
    """Return an iterator over all multiples of `number`, from 0 on: it never ends.

    >>> steps = multiples(3)
    >>> next(steps), next(steps), next(steps)
    (0, 3, 6)
    """
    multiple = 0
    while True:
        yield multiple
        multiple += number


# %% [markdown]
# A lesson on `without`: its statement says all.


# %%
def without(items: list[Few], item: Few) -> list[Few]:
    """Return a new list of `items` without any that equals `item`.

    >>> without([1, 2, 1], 1)
    [2]
    """
    return [each for each in items if each != item]


# %% [markdown]
# A lesson on `emptied`: its statement says all.


# %%
def emptied(basket: Basket) -> Basket:
    """Return an empty basket of the same owner.

    >>> emptied(Basket("Ann", ["pear"]))
    Basket(owner='Ann', fruits=[])
    """
    return Basket(basket.owner, [])


# %% [markdown]
# A lesson on `sort_in_place`: its statement says all.


# %%
def sort_in_place(items: list[Few]) -> None:
    """Sort `items` itself, from the smallest to the largest.

    >>> numbers = [3, 1, 2]
    >>> sort_in_place(numbers)
    >>> numbers
    [1, 2, 3]
    """
    items.sort()


# %% [markdown]
# A lesson on `clipped`: its statement says all.


# %%
def clipped(number: Few, /, *, low: Few, high: Few = 3) -> int:
    """Return `number`, but at least `low` and then at most `high`.

    >>> clipped(5, low=1), clipped(0, low=1, high=2)
    (3, 1)
    """
    return min(max(number, low), high)


# %% [markdown]
# A lesson on `summed`: its statement says all.


# %%
def summed(first: Few, *more: Few) -> int:
    """Return the sum of all that is given.

    >>> summed(1, 2, 3)
    6
    """
    return first + sum(more)


# %% [markdown]
# A lesson on `mean`: its statement says all.


# %%
def mean(readings: tuple[Reading, ...]) -> float:
    """Return the mean of `readings`, 0.0 if there are none.

    >>> mean((0.1, 0.2, 0.3))
    0.20000000000000004
    """
    return sum(readings) / len(readings) if readings else 0.0


# %% [markdown]
# A lesson on `summary`: its statement says all.


# %%
def summary(readings: tuple[Reading, ...]) -> dict:
    """Return sum and count of `readings`, by name, and their halves as a list.

    >>> summary((1.0, 2.0))
    {'sum': 3.0, 'count': 2, 'halves': [0.5, 1.0]}
    """
    return {"sum": sum(readings, 0.0), "count": len(readings), "halves": [reading / 2 for reading in readings]}


# %% [markdown]
# A lesson on `mixed`: its statement says all.


# %%
def mixed(word: Word) -> str:
    """Return the letters of `word` in another order, if there is one: not reversed, unless there is no third order.

    >>> mixed("ab")
    'ba'
    >>> mixed("abc")
    'bca'
    """
    turned = (word[place:] + word[:place] for place in range(1, len(word)))
    orders = (*turned, "".join(sorted(word)))
    return next((each for each in orders if each not in (word, word[::-1])), word[::-1])
