internal import CardFeed

/// Metrics in the text format of Prometheus, version 0.0.4.
struct MetricsText {
  private(set) var text = ""

  mutating func family(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: some Numeric) {
    let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    text += name + (pairs.isEmpty ? "" : "{\(pairs)}") + " \(value)\n"
  }

  mutating func single(_ name: String, _ type: String, _ help: String, _ value: some Numeric) {
    family(name, type, help)
    sample(name, [], value)
  }

  private static func escaped(_ label: String) -> String {
    var escaped = ""
    for character in label.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}

extension ServiceMetrics {
  /// Everything that is counted.
  ///
  /// - Parameter feeds: The open feeds, for what they know of themselves.
  func text(feeds: [ServedFeed], isReady: Bool) -> String {
    var text = MetricsText()
    let counts = routes + [unrouted]
    text.family(
      "cardfeed_http_requests_total", "counter", "Requests answered, by route and status.")
    for route in counts {
      for (status, count) in route.statuses where count.value > 0 {
        text.sample(
          "cardfeed_http_requests_total",
          labels(route) + [("status", status == 0 ? "other" : "\(status)")], count.value)
      }
    }
    let duration = "cardfeed_http_request_seconds"
    text.family(duration, "histogram", "Time from a request's head and body to its answer.")
    for route in counts where route.statuses.contains(where: { $0.count.value > 0 }) {
      var sum: UInt64 = 0
      for (index, bucket) in route.buckets.enumerated() {
        sum += bucket.value
        let bound =
          index < Self.bounds.count ? "\(Double(Self.bounds[index]) / 1e9)" : "+Inf"
        text.sample(duration + "_bucket", labels(route) + [("le", bound)], sum)
      }
      text.sample(duration + "_sum", labels(route), Double(route.nanoseconds.value) / 1e9)
      text.sample(duration + "_count", labels(route), sum)
    }
    text.single("cardfeed_hands_total", "counter", "Hands shown.", hands.value)
    text.family("cardfeed_swipes_total", "counter", "Swipes by what became of them.")
    text.sample("cardfeed_swipes_total", [("result", "applied")], swipes.value)
    text.sample("cardfeed_swipes_total", [("result", "repeated")], repeatedSwipes.value)
    text.sample("cardfeed_swipes_total", [("result", "stale")], staleSwipes.value)
    text.single("cardfeed_matches_total", "counter", "Matches made by swipes.", matches.value)
    text.single("cardfeed_rewinds_total", "counter", "Rewinds asked for.", rewinds.value)
    text.single("cardfeed_cards_stored_total", "counter", "Cards stored.", storedCards.value)
    text.single(
      "cardfeed_failures_total", "counter", "Answers with status 500.", failures.value)
    text.family("cardfeed_sessions", "gauge", "Viewers in memory, by feed.")
    for feed in feeds {
      text.sample("cardfeed_sessions", [("feed", feed.name)], feed.operations.sessions)
    }
    text.family("cardfeed_event_streams", "gauge", "Open streams of events, by feed.")
    for feed in feeds {
      text.sample("cardfeed_event_streams", [("feed", feed.name)], feed.operations.subscribers)
    }
    for (name, help, count) in Self.eventFamilies {
      text.family(name, "counter", help)
      for feed in feeds {
        text.sample(name, [("feed", feed.name)], count(feed.operations.eventCounts))
      }
    }
    text.single("cardfeed_ready", "gauge", "Whether feeds are open.", isReady ? 1 : 0)
    ProcessNumbers.write(to: &text, start: start)
    return text.text
  }

  private static var eventFamilies: [(name: String, help: String, count: (EventCounts) -> UInt64)] {
    [
      (
        "cardfeed_match_events_total",
        "Matches made or ended and people erased, by any process, carried to the streams of events.",
        \.changes
      ),
      (
        "cardfeed_event_read_failures_total",
        "Attempts to read matches from the store that failed; nothing is lost, it is read again.",
        \.failures
      ),
      (
        "cardfeed_event_streams_dropped_total",
        "Streams ended because their client read too slowly; it resumes when it connects again.",
        \.endedStreams
      ),
      (
        "cardfeed_event_reloads_total",
        "Streams whose client was told to load its matches anew, for what it missed is not known.",
        \.reloads
      ),
    ]
  }

  private func labels(_ route: RouteCounts) -> [(String, String)] {
    [("method", route.method), ("route", route.name)]
  }
}
