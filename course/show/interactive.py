"""Things that are shown as widgets if widgets work and a person is there, and else as text and HTML."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from course.kernel.attended import bundle_with_widget
from course.show.blocks import Element, as_text
from course.show.results import framed_elements


class Interactive(ABC):
    """Something to display, with a widget. A dataclass that is a subclass needs `repr=False`."""

    @abstractmethod
    def elements(self) -> Iterable[Element]:
        """Return what is shown without a widget."""

    @abstractmethod
    def widget(self) -> object:
        """Return the widget. Raises ImportError if widgets are not installed."""

    def __repr__(self) -> str:
        return as_text(self.elements())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        return bundle_with_widget(framed_elements(self.elements())._repr_mimebundle_(), self.widget)
