import Flux
import Foundation
import TestSupport
import Testing

@Suite("Sources/FluxCore/FluxCore.docc/Performance.md")
struct PerformanceGuideTests {
  @Test("its two reducers produce the same state")
  func reducing() {
    let inPlace: MutatingReducer<Ratings> = { ratings, action in
      if let action = action as? Rate { ratings.stars[action.film] = action.stars }
    }
    let copying: Reducer<Ratings> = { ratings, action in
      var ratings = ratings
      if let action = action as? Rate { ratings.stars[action.film] = action.stars }
      return ratings
    }
    var ratings = Ratings()
    inPlace(&ratings, Rate(film: 1, stars: 5))
    #expect(ratings.stars == copying(Ratings(), Rate(film: 1, stars: 5)).stars)
  }

  @Test("its observers are called for the values that they show")
  func observing() {
    let film = 1
    let shown = Shared<[Int?]>([])
    let show: @Sendable (Int?) -> Void = { value in shown.change { $0.append(value) } }
    let reducer = on(Rate.self) { (ratings: inout Ratings, rate) in ratings.stars[rate.film] = rate.stars }
    let store = Store(reducer: reducer, state: Ratings())

    let rated = store.withState { ratings in ratings.stars.count }
    let rating = store.subscribe(to: { ratings in ratings.stars[film] }) { stars in show(stars) }
    store.dispatch(Rate(film: film, stars: 5))
    rating.cancel()
    let ratings = store.sharedSlice(of: \.stars.count)
    let badge = ratings.subscribe { count in show(count) }
    store.dispatch(Rate(film: 2, stars: 4))
    badge.cancel()
    #expect(rated == 0)
    #expect(shown.value == [nil, 5, 1, 2])
  }

  @Test("each of its figures is a figure of Documentation/Performance.md")
  func figures() throws {
    let measured = try Self.rows(of: "Documentation/Performance.md").reduce(into: [String: String]()) {
      figures, row in
      guard row.count > 3, figures[row[1]] == nil else { return }
      figures[row[1]] = row[2]
    }
    let told = try Self.rows(of: "Sources/FluxCore/FluxCore.docc/Performance.md")
      .filter { $0.count == 2 && $0[1].first?.isNumber == true }
    #expect(told.count > 15)
    for row in told {
      #expect(measured[row[0]] == row[1], "\(row[0])")
    }
  }

  /// The cells of each row of the tables of a page.
  private static func rows(of page: String) throws -> [[String]] {
    try GuideExamples.text(of: page).split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxCore/FluxCore.docc/Performance.md").expectTested(
      in: "Tests/GuideTests/PerformanceGuideTests.swift", atLeast: 4)
  }
}

private struct Ratings: FluxState {
  var stars: [Int: Int] = [:]
}

private struct Rate: Action {
  let film: Int
  let stars: Int
}
