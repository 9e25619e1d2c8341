"""Dates as people write them, and as ISO 8601 does: "Sunday, 3 May 1998" -> "1998-05-03"."""

import re
from datetime import date
from functools import lru_cache

from attention_core.checks import InputError

# Not from the calendar module: that speaks the language of the machine.
MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
FIRST, LAST = date(1900, 1, 1), date(2099, 12, 31)
ALPHABET = "".join(sorted({*"".join(MONTHS + WEEKDAYS).lower(), *"stndrdthof", *"0123456789 ,."}))


def written_forms(day: date) -> tuple[str, ...]:
    """A date as people write it; numbers alone have full stops, which always means the day first."""
    month, weekday = MONTHS[day.month - 1], WEEKDAYS[day.weekday()]
    ending = "th" if day.day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return (
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month[:3]} {day.year}",
        f"{weekday}, {day.day} {month} {day.year}",
        f"{weekday[:3]}, {month[:3]} {day.day}, {day.year}",
        f"{day.day}{ending} of {month} {day.year}",
        f"{day.day}.{day.month}.{day.year}",
    )


def _either(names: list[str]) -> str:
    return "|".join(f"{name}|{name[:3]}" for name in names)


_START = rf"(?:(?:{_either(WEEKDAYS)}),? +)?"
_DAY, _MONTH, _YEAR = r"\d{1,2}", f"(?:{_either(MONTHS)})", r"\d{4}"
_PATTERNS = [
    re.compile(pattern, re.IGNORECASE | re.ASCII)
    for pattern in (
        rf"{_START}{_DAY}(?:st|nd|rd|th)? +(?:of +)?{_MONTH},? +{_YEAR}",
        rf"{_START}{_MONTH} +{_DAY}(?:st|nd|rd|th)?,? +{_YEAR}",
        rf"{_START}{_DAY}\. ?\d{{1,2}}\. ?{_YEAR}",
    )
]


def iso_date(text: str) -> str:
    """The ISO date that a person's date means; the weekday, if there is one, is not checked."""
    check_date(text)
    return date(*parts_of(text)).isoformat()


iso = lru_cache(maxsize=1024)(iso_date)  # a batch asks twice for each: may it be trained on, and what is the answer


def parts_of(text: str) -> tuple[int, int, int]:
    """The year, the month and the day of a date."""
    day, *months, year = (int(number) for number in re.findall(r"\d+", text))
    named = (number for number, name in enumerate(MONTHS, 1) if name[:3].lower() in text.lower())
    return year, months[0] if months else next(named), day


def check_date(text: str) -> None:
    """An InputError where the text is no date."""
    if not any(pattern.fullmatch(text) for pattern in _PATTERNS):
        raise InputError(f"{text!r} is no date in a known form: write it like 3 May 1998, May 3, 1998 or 3.5.1998.")
    year, month, day = parts_of(text)
    try:
        date(year, month, day)
    except ValueError:
        raise InputError(f"{text!r} is not in the calendar: month {month} of {year} has no day {day}.") from None
