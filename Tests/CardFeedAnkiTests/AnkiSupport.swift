import CSQLite
import CardFeedAnki
import Foundation
import Testing

/// A folder that is removed with its content.
final class AnkiFolder: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("cardfeed-anki-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Makes an SQLite file of statements, and returns its path.
  func database(_ name: String, _ sql: String) throws -> String {
    var handle: OpaquePointer?
    #expect(sqlite3_open(file(name), &handle) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    return file(name)
  }
}

/// A collection as Anki's own program lays it out, written down here independently of the module.
enum AnkiSample {
  private static let common = """
    CREATE TABLE col (id integer PRIMARY KEY, crt integer, mod integer, scm integer, ver integer,
      dty integer, usn integer, ls integer, conf text, models text, decks text, dconf text,
      tags text);
    CREATE TABLE notes (id integer PRIMARY KEY, guid text, mid integer, mod integer, usn integer,
      tags text, flds text, sfld integer, csum integer, flags integer, data text);
    CREATE TABLE cards (id integer PRIMARY KEY, nid integer, did integer, ord integer, mod integer,
      usn integer, type integer, queue integer, due integer, ivl integer, factor integer,
      reps integer, lapses integer, left integer, odue integer, odid integer, flags integer,
      data text);
    CREATE TABLE revlog (id integer PRIMARY KEY, cid integer, usn integer, ease integer,
      ivl integer, lastIvl integer, factor integer, time integer, type integer);
    INSERT INTO notes VALUES
      (10, 'g''one', 1, 0, -1, ' leech bio::cell ',
       '<b>What</b> is<br>1 &lt; 2?' || char(31) || 'True &amp; so', 0, 0, 0, ''),
      (11, 'gtwo', 2, 0, -1, '', 'The {{c1::sun::star}} is {{c2::hot}}.' || char(31) || '',
       0, 0, 0, '');
    INSERT INTO cards VALUES
      (101, 10, 1, 0, 1700000500, -1, 2, -1, 7, 3, 2500, 2, 0, 0, 0, 0, 0, ''),
      (102, 10, 1, 1, 1700000000, -1, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, ''),
      (103, 11, 1, 0, 1700000000, -1, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, ''),
      (104, 11, 1, 1, 1700000000, -1, 0, -2, 6, 0, 0, 0, 0, 0, 0, 0, 0, '');
    INSERT INTO revlog VALUES
      (1700000000123, 101, -1, 1, -60, -60, 0, 4000, 0),
      (1700000400000, 101, -1, 3, 3, -60, 2500, 4000, 1),
      (1700000300000, 101, -1, 0, 3, 3, 2500, 0, 4),
      (1700000350000, 101, -1, 3, 3, 3, 2500, 0, 5),
      (1700000100000, 999, -1, 4, 3, 3, 2500, 0, 1);
    """

  static let models = """
    {"1": {"id": 1, "type": 0, "flds": [{"name": "Back", "ord": 1}, {"name": "Front", "ord": 0}],
      "tmpls": [
        {"ord": 0, "qfmt": "{{Front}}", "afmt": "{{FrontSide}}<hr id=answer>{{Back}}"},
        {"ord": 1, "qfmt": "{{#Back}}{{text:Back}}{{/Back}}{{^Back}}none{{/Back}}",
         "afmt": "{{FrontSide}}\\n<hr id=answer>\\n{{ Front }}"}]},
     "2": {"id": 2, "type": 1, "flds": [{"name": "Text", "ord": 0}, {"name": "Extra", "ord": 1}],
      "tmpls": [{"ord": 0, "qfmt": "{{cloze:Text}}", "afmt": "{{cloze:Text}}<br>{{Extra}}"}]}}
    """

  static func schema11(then sql: String = "") -> String {
    """
    \(common)
    INSERT INTO col VALUES (1, 1699920000, 0, 0, 11, 0, 0, 0, '{}', '\(models)', '{}', '{}', '{}');
    \(sql)
    """
  }

  /// The same with note types in tables; settings are Protocol Buffers messages, as hexadecimal.
  static func schema18(then sql: String = "") -> String {
    func message(_ front: String, _ back: String) -> String {
      func field(_ key: String, _ text: String) -> String {
        let bytes = text.utf8.map { String(format: "%02x", $0) }.joined()
        return key + String(format: "%02x", text.utf8.count) + bytes
      }
      return field("0a", front) + field("12", back) + "40ffffffffffffffffff01"
    }
    return """
      \(common)
      INSERT INTO col VALUES (1, 1699920000, 0, 0, 18, 0, 0, 0, '', '', '', '', '');
      CREATE TABLE decks (id integer PRIMARY KEY, name text, mtime_secs integer, usn integer,
        common blob, kind blob);
      INSERT INTO decks VALUES (1, 'Default', 0, 0, x'', x'');
      CREATE TABLE notetypes (id integer PRIMARY KEY, name text, mtime_secs integer, usn integer,
        config blob);
      CREATE TABLE fields (ntid integer, ord integer, name text, config blob,
        PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
      CREATE TABLE templates (ntid integer, ord integer, name text, mtime_secs integer,
        usn integer, config blob, PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
      INSERT INTO notetypes VALUES (1, 'Basic', 0, 0, x''), (2, 'Cloze', 0, 0, x'08011a026162');
      INSERT INTO fields VALUES (1, 1, 'Back', x''), (1, 0, 'Front', x''), (2, 0, 'Text', x''),
        (2, 1, 'Extra', x'');
      INSERT INTO templates VALUES
        (1, 0, 'Card 1', 0, 0, x'\(message("{{Front}}", "{{FrontSide}}<hr id=answer>{{Back}}"))'),
        (1, 1, 'Card 2', 0, 0, x'\(message("{{text:Back}}", "<hr id=\"answer\">{{Front}}"))'),
        (2, 0, 'Cloze', 0, 0, x'\(message("{{cloze:Text}}", "{{cloze:Text}}<br>{{Extra}}"))');
      \(sql)
      """
  }
}
