"""What is around every page: layout, menu, keyboard."""
