/// A key as a person pressed it.
public enum Key: Hashable, Sendable {
  /// A letter, a digit or any other character.
  case character(Unicode.Scalar)
  /// An arrow, whatever is held down with it.
  case up, down, left, right
  /// A key that moves by more than one.
  case pageUp, pageDown, home, end
  /// Return, also as a line feed.
  case enter
  /// Tab.
  case tab
  /// Backspace, in either of its codes.
  case backspace
  /// Escape by itself.
  case escape
  /// Ctrl-C: stop.
  case interrupt
  /// Ctrl-D: no more input.
  case endOfInput
  /// Ctrl-Z: stop for a while.
  case suspend
  /// Ctrl-L: draw everything anew.
  case redraw
  /// Some other key; it has no meaning here.
  case other
}
