"""Before and after: the attention weights of the first and of the last w."""

from attention_ui.chapters.learned_w.computation import both_ends
from attention_ui.chapters.learned_w.export import both_picture, exported_both
from attention_ui.chapters.learned_w.runs import Run
from attention_ui.export.view import View
from attention_ui.pictures.picture import pack, show_picture


def show(run: Run) -> View:
    """The attention weights of the first and of the last w, on the axes and the scale of the picture above."""
    so_far = run.trained()
    show_picture(f"{run.page}_before_after", pack(both_picture(so_far, both_ends(so_far))))
    return View(lambda: exported_both(so_far))
