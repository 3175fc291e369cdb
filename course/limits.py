"""All limits: on time, memory, work, and what is read from files and processes that may be hostile. Each has a reason.

Room on the screen, numbers of shown items, sizes of drawn inputs, and rules of games are defined next to the code that
uses them.
"""

# ------------------------------------------------------------------------------------------------ seconds of calls

SECONDS_PER_EXAMPLE = 5.0  # a learner waits no longer for a visible example
SECONDS_PER_CALL = 1.0  # in an exam; right answers take thousandths
SECONDS_PER_SHORT_CALL = 0.1  # when many are tried; the clock ticks every 0.02 s, so a call may take 0.04 s more
SECONDS_PER_SHARED_PROCESS = 2  # for answers that share a process; those that are not done then run alone
SECONDS_FOR_EXTRAS = 2  # for facts, wrong calls, questions and variants: they help, but decide nothing
SECONDS_PER_BROWSER_CELL = 180.0  # nothing else stops a cell there
SECONDS_BETWEEN_CLOCK_READINGS = 0.5  # a longer time was spent waiting, for example for `input`
SECONDS_PER_BOT_ANSWER = 1.0  # a game has hundreds of answers

# ------------------------------------------------------------------------------------------------ seconds of work

SECONDS_PER_EXERCISE_EXAM = 120  # of an exam, for an exercise; grading an answer has 10
SECONDS_PER_WORLD = 60  # for all inputs of a world; only wrong answers that never end take longer
SECONDS_PER_IMPORTED_CELL = 10  # for a cell of a notebook that a teacher imports
SECONDS_PER_IMPORTED_NOTEBOOK = 120  # a teacher who imports a notebook waits for it
SECONDS_PER_TRUSTED_CHECK = 1_800  # in nbgrader's trusted mode, where the first check builds the exam
SECONDS_IN_CACHE = 30 * 24 * 3600  # an exam that nobody has used for a month is removed
UNUSED_COURSE_SECONDS = 3_600  # a cluster's worker removes a course that has not been used for so long
SECONDS_BETWEEN_WORKER_CHECKS = 1  # between two looks at a cluster's workers
SCHEDULER_REPLY_SECONDS = 10  # without a reply, a scheduler counts as lost

# ------------------------------------------------------------------------------------------------ memory

MOST_MEMORY_BYTES = 1 << 30  # for a learner's calls, in addition to what is in use; laptops have little more
MOST_BROWSER_BYTES = 1 << 29  # lower, since allocating takes seconds there, and memory is never returned
FEWEST_OBJECTS_PER_COLLECTION = 100_000  # new objects, since most objects of imports, exams and reports live long
MOST_CACHED_EXAMS = 8  # a process grades few exams at a time
MOST_CACHED_PICTURES = 2_048  # a learner's values may have keys without end
MOST_KNOWN_RESULTS = 1_000  # many students of a class hand in equal answers
LONGEST_CACHED_SOURCE = 4_000  # characters of a source whose syntax tree is cached; longer ones are rarely parsed twice
MOST_CACHED_BRANCHES = 128  # of syntax trees; a branch has up to 5 MB

# ------------------------------------------------------------------------------------------------ what calls produce

DEEPEST_CALLS = 990  # about Python's default
MOST_PRINTED_CHARACTERS = 100_000  # an endless loop may print, too
MOST_ENDLESS_CALLS = 2  # calls without end; after more, the others would only take time
MOST_SHOWN_ARGUMENTS = 8  # arguments of an inner call whose types are shown; nobody reads more
MOST_VALUE_NODES = 50_000  # of a value; a million would take seconds to compare
DEEPEST_VALUE = 60  # levels of a value; reading it is recursive
MOST_ITERATOR_ITEMS = 100  # items of an iterator, which may never end
MOST_BITS, MOST_DIGITS = 8_000, 2_400  # of a number; printing and reading larger ones takes quadratic time
MOST_EQUAL_HASHES = 32  # items with the same hash; a set of more takes quadratic time
MOST_JSON_PARTS = 1_000_000  # a few megabytes of brackets become lists of a gigabyte
LONGEST_VALUE = 10_000  # characters of a value in a report
MOST_REMARKS = 20  # of a report; nobody reads more
MOST_IGNORED_TIMEOUTS = 10  # a process that has ignored so many time limits is ended

# ------------------------------------------------------------------------------------------------ files and notebooks

LARGEST_FILE = 100_000_000  # bytes; reading needs several times as much memory
MOST_COPIED_BYTES = 1_000_000_000  # of files that are unpacked, or copied but not graded; a disk is soon full
MOST_FILES = 20_000  # in a download or a submission; a large class has fewer
LARGEST_ZIP_RATIO = 100  # unpacked bytes for each byte of a student's zip; a zip bomb has more
MOST_FOLDER_LEVELS = 20  # folders of a path in a submission
MOST_NAME_BYTES = 200  # of a file that Foldem names; a file system allows 255
MOST_SYMBOLIC_LINKS = 40  # on the way to a file, as in Linux
MOST_HAND_INS = 100  # notebooks of one student; each has its own time
LONGEST_TIME_FILE = 1_000  # bytes of a file with a time
LARGEST_CODE = 1_000_000  # characters of a notebook's cells, or of a bot's file; all are searched for names
MOST_CHARACTERS, MOST_STATEMENTS = 300_000, 2_000  # of a notebook's code; its statements are compared with each other
MOST_NOTEBOOK_CELLS = 10_000  # each is compared with the cells of the exercises
LARGEST_CELL = 25_000  # characters; parsing more may take seconds
MOST_CELL_LINES = 5_000  # each statement is stored with the empty lines above it
MOST_FSTRING_BRACES = 5_000  # Python 3.11 parses an f-string again for each brace in it
DEEPEST_CODE = 150  # levels of a syntax tree; walking through it is recursive
MOST_FUNCTIONS = 200  # in an answer: finding out which call each other takes time, and no person writes more
MOST_IMPORTS = 60  # modules that a sandbox loads for a submission; each takes time and memory
MOST_SANDBOX_USES = 200  # of a sandbox, before a new one replaces it
LARGEST_HTML = 200_000  # characters of an output; cleaning more takes seconds
MOST_COLORED, LONGEST_COLORED = 250_000, 500  # characters of a notebook and a line; Pygments takes seconds for more
LONGEST_LINK, LONGEST_GAME, LONGEST_AUTHOR = 24_000, 200_000, 60  # characters of a shared game: programs cut long links

# ------------------------------------------------------------------------------------------------ what is compared

LONGEST_DIAGNOSED_ANSWER = 10_000  # characters, three times the longest we know: parts are compared with each other
LONGEST_SEARCHED_LINE = 1_000  # patterns are searched at every position of a line that does not parse
LONGEST_COMPARED_NAME = 40  # comparing longer names could take minutes, and they are rarely mistyped
LONGEST_NUMBER = 2_000  # bits of a number in quoted code; Python's own limit is never below 640 digits
LARGEST_QUOTED_EXPRESSION = 300  # nodes of an expression that a message may quote; larger ones take time to write
MOST_COMPARED_TOKENS = 600  # comparing longer texts could take ten seconds
MOST_FINGERPRINTS = 4_000  # fingerprints of a submission; of larger ones, a sample is compared
MOST_SUBMISSIONS_ALIKE = 50  # submissions with the same fingerprint; more share what the course gives

# ------------------------------------------------------------------------------------------------ exams and questions

LARGEST_DOMAIN = 4_000  # inputs; smaller domains are tried completely
MOST_SLOW_INPUTS = 10  # then no more inputs are tried
MOST_JOINT_CALLS = 500  # of a facet that is judged together; the learner waits for them
MOST_CONTRAST_CANDIDATES = 100  # trying more takes long, and finds no others
MOST_INPUTS_TRIED = 100  # on all wrong answers, for an exercise without a world
MOST_ORAL_CHECK_CALLS = 250  # that an oral check runs; more show nothing new
MOST_RUN_TICKS = 1_500  # of a run to ask about: it ends equally on each machine
MOST_LIMITED_CALLS = 5  # after so many runs with too many steps, no others are tried
MOST_IMPORTED_CASES = 60  # of an imported test
MOST_DOCTESTS, LONGEST_DOCTEST = 3, 110  # of an imported exercise, and characters of a line; the others stay hidden
MOST_UNION_TYPES = 3  # types in a union; from more, no useful inputs can be drawn

# ------------------------------------------------------------------------------------------------ watched runs

DEEPEST_FUNCTION_SEARCH = 6  # levels of values in which functions are searched
DEEPEST_COPY, MOST_ITEMS_COPIED = 12, 5_000  # levels and items of a value; each step of a run has a copy
MOST_MOMENTS = 400  # of a recorded game; a right one ends earlier
