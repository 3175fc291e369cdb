"""Normal forms of right answers, by unit: `course.exam.alike` explains the table `ALIKE` of each module."""
