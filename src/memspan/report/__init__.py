"""Results as a page: the frontier drawn, explorable and printable, in one file without network."""

from memspan.report.page import render, svg, write_report
from memspan.report.study import TARGETS, Study
from memspan.report.wording import finding

__all__ = ["TARGETS", "Study", "finding", "render", "svg", "write_report"]
