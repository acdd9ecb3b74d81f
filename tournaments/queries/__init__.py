"""What can be asked about events. Nothing here changes anything."""
