"""The lab: drag the width and watch attention sharpen."""
