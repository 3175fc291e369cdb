"""Questions about an answer's own code: which branch or line runs, and what value a name has."""
