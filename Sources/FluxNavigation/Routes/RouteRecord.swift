/// The places before and after the current place, up to a limit.
///
/// The earlier and the later places together never exceed the limit. A step back or forward moves
/// one place from one list to the other, so only a new place and a decoded record are limited.
@usableFromInline
struct RouteRecord<Place: Hashable & Sendable>: Hashable, Sendable {
  /// The greatest number of earlier and later places.
  @usableFromInline let limit: Int
  /// The earlier places, from the oldest to the newest.
  @usableFromInline var past: [Place] = []
  /// The later places, from the last to the next.
  @usableFromInline var future: [Place] = []

  init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// Creates a record with the places that are nearest to the current place.
  ///
  /// The earlier places have priority.
  init(limit: Int, past: [Place], future: [Place]) {
    self.init(limit: limit)
    self.past = past.suffix(self.limit)
    self.future = future.suffix(self.limit - self.past.count)
  }

  /// Records a place that a new place replaces.
  @inlinable
  mutating func append(_ place: Place) {
    guard limit > 0 else { return }
    future = []
    past.append(place)
    if past.count > limit { past.removeFirst() }
  }

  /// Returns the place before the current place, and records the current place as the next place.
  @inlinable
  mutating func back(from place: Place) -> Place? {
    guard let previous = past.popLast() else { return nil }
    future.append(place)
    return previous
  }

  /// Returns the next place, and records the current place as an earlier place.
  @inlinable
  mutating func forward(from place: Place) -> Place? {
    guard let next = future.popLast() else { return nil }
    past.append(place)
    return next
  }
}

private enum CodingKeys: String, CodingKey {
  case limit, past, future
}

extension RouteRecord: Encodable where Place: Encodable {
  /// Encodes the limit and the places.
  @usableFromInline
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(limit, forKey: .limit)
    try container.encode(past, forKey: .past)
    try container.encode(future, forKey: .future)
  }
}

extension RouteRecord: Decodable where Place: Decodable {
  /// Decodes the places up to the limit.
  @usableFromInline
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      limit: try container.decode(Int.self, forKey: .limit),
      past: try container.decode([Place].self, forKey: .past),
      future: try container.decode([Place].self, forKey: .future))
  }
}
