"""`python -m tests.browser.narrow_gate`: the app with a gate for one, at which everybody is told at once who waits."""

from attention_ui import gate
from attention_ui.server import launch

if __name__ == "__main__":
    gate.GATE.width = 1
    gate.POLL, gate.PATIENCE = 0.01, 0.0
    launch.main()
