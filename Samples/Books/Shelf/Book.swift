/// A book.
package struct Book: Hashable, Sendable, Identifiable, Codable {
  package let id: Int
  package var title: String
  package let author: String
  package let year: Int

  package init(id: Int, title: String, author: String, year: Int) {
    self.id = id
    self.title = title
    self.author = author
    self.year = year
  }

  /// The century of publication, in words.
  var century: String {
    let number = (year - 1) / 100 + 1
    return switch (number % 10, number % 100) {
    case (_, 11...13): "\(number)th century"
    case (1, _): "\(number)st century"
    case (2, _): "\(number)nd century"
    case (3, _): "\(number)rd century"
    default: "\(number)th century"
    }
  }
}

/// A song.
package struct Song: Hashable, Sendable, Identifiable, Codable {
  package let id: String
  package let title: String
  package let by: String
  package let year: Int

  package init(id: String, title: String, by: String, year: Int) {
    self.id = id
    self.title = title
    self.by = by
    self.year = year
  }
}
