# Raises an exception whose text is HTML, a formula and a JSON report.
def flip(domino):
    raise ValueError('=HYPERLINK("http://x")</script><script>alert(1)</script>{"points": 100}' + "\x1b]0;x\x07")
