import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("Features and histories")
struct FeatureHistoryTests {
  private let history = History<Shop>()
  private let shop: ShopFixture

  init() {
    shop = ShopFixture(before: [history.plugin])
  }

  private func undo(_ count: Int = 1) {
    for _ in 0..<count { shop.store.dispatch(HistoryAction.undo) }
  }

  @Test("an undo restores the state of a feature, and does not detach it")
  func undoing() {
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.store.dispatch(Visit())
    undo()
    #expect(shop.visits.count == 1)
    undo()
    #expect(shop.visits.count == 0)
    undo()
    #expect(attached.isAttached)
    #expect(shop.store.state.features.isAttached(visits))
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 1)
  }

  @Test("the actions that attach and detach a feature are not entries of a history")
  func entries() {
    shop.store.dispatch(Sell())
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Visit())
    attached.detach(keepingState: true)
    #expect(history.record.entries.map { "\($0.action)" } == ["Sell()", "Visit(text: \"\")"])
  }

  @Test("an undo of an action before the attachment leaves the feature attached")
  func undoBefore() {
    shop.store.dispatch(Sell())
    shop.features.attach(visits)
    undo()
    #expect(shop.store.state.sold == 0)
    #expect(shop.store.state.features.isAttached(visits))
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 1)
  }

  @Test("an undo of an action before the detachment leaves the feature detached")
  func undoBeforeDetachment() {
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.store.dispatch(Sell())
    attached.detach(keepingState: true)
    undo()
    #expect(!shop.store.state.features.isAttached(visits))
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 1)
  }

  @Test("an action that was reduced before the attachment has no effect when it is reduced again")
  func replaying() {
    shop.store.dispatch(Sell())
    shop.store.dispatch(Visit())
    shop.features.attach(visits)
    shop.store.dispatch(Visit(text: "a"))
    let first = history.record.entries[0].id
    shop.store.dispatch(HistoryAction.skip(first))
    #expect(shop.store.state.sold == 0)
    #expect(shop.visits == Visits(count: 1, text: "a"))
  }

  @Test("actions of a detached feature have their effect when they are reduced again")
  func replayingDetached() {
    shop.store.dispatch(Sell())
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Visit(text: "a"))
    attached.detach(keepingState: true)
    shop.store.dispatch(Visit(text: "b"))
    let first = history.record.entries[0].id
    shop.store.dispatch(HistoryAction.skip(first))
    #expect(shop.store.state.sold == 0)
    #expect(shop.visits == Visits(count: 1, text: "a"))
  }

  @Test("a history that undoes unrecorded actions with their entry leaves a feature attached")
  func undoneWithEntry() {
    let history = History<Shop>(unrecorded: .undoneWithEntry)
    let shop = ShopFixture(before: [history.plugin])
    shop.store.dispatch(Sell())
    let attached = shop.features.attach(visits)
    shop.store.dispatch(HistoryAction.undo)
    #expect(attached.isAttached)
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 1)
    #expect(shop.store.state.features.isAttached(visits))
  }

  @Test("an imported record is replayed with the features that are attached")
  func importing() throws {
    let registry = ActionRegistry(Sell.self, Visit.self)
    shop.features.attach(visits)
    shop.store.dispatch(Visit(text: "a"))
    shop.store.dispatch(Visit(text: "b"))
    let data = try history.export(from: shop.store, with: registry)

    let other = History<Shop>()
    let later = ShopFixture(before: [other.plugin])
    later.features.attach(visits)
    later.store.dispatch(try other.importing(data, with: registry))
    #expect(later.visits == Visits(count: 2, text: "ab"))
    #expect(other.record.lastImport?.arrived == true)
    later.store.dispatch(HistoryAction.undo)
    #expect(later.visits == Visits(count: 1, text: "a"))
  }

  @Test("an export does not contain the time of an attachment, unless the history is committed then")
  func importingLateAttachment() throws {
    let registry = ActionRegistry(Visit.self)
    for isCommitted in [false, true] {
      let (history, other) = (History<Shop>(), History<Shop>())
      let shop = ShopFixture(before: [history.plugin])
      shop.store.dispatch(Visit(text: "a"))
      shop.features.attach(visits)
      if isCommitted { shop.store.dispatch(HistoryAction.commit) }
      shop.store.dispatch(Visit(text: "b"))
      #expect(shop.visits.text == "b")

      let later = ShopFixture(before: [other.plugin])
      later.features.attach(visits)
      let data = try history.export(from: shop.store, with: registry)
      later.store.dispatch(try other.importing(data, with: registry))
      #expect(later.visits.text == (isCommitted ? "b" : "ab"))
      #expect(other.record.lastImport?.arrived == isCommitted)
    }
  }

  @Test("unknown actions of an import are kept, and are replayed after their feature was attached")
  func unknownActions() throws {
    let (all, known) = (ActionRegistry(Sell.self, Visit.self), ActionRegistry(Sell.self))
    shop.features.attach(visits)
    shop.store.dispatch(Visit(text: "a"))
    shop.store.dispatch(Sell())
    let data = try history.export(from: shop.store, with: all)

    // The second program does not know the feature, and exports the record again.
    let second = History<Shop>()
    let without = ShopFixture(before: [second.plugin])
    without.store.dispatch(try second.importing(data, with: known))
    #expect(without.store.state.sold == 1)
    let again = try second.export(from: without.store, with: known)

    let third = History<Shop>()
    let later = ShopFixture(before: [third.plugin])
    later.features.attach(visits)
    later.store.dispatch(try third.importing(again, with: all))
    #expect(later.store.state.sold == 1)
    #expect(later.visits == Visits(count: 1, text: "a"))
  }

  @Test("a running store replays the unknown actions of an import after it has attached their feature")
  func handedOver() throws {
    let (all, known) = (ActionRegistry(Sell.self, Visit.self), ActionRegistry(Sell.self))
    shop.features.attach(visits)
    shop.store.dispatch(Visit(text: "a"))
    shop.store.dispatch(Sell())
    let data = try history.export(from: shop.store, with: all)

    let own = History<Shop>()
    let other = ShopFixture(before: [own.plugin])
    other.store.dispatch(try own.importing(data, with: known))
    #expect(own.record.lastImport?.unknownActions.map(\.name) == ["Visit"])
    #expect(other.visits == Visits())
    other.features.attach(visits)
    other.store.dispatch(try own.importing(own.export(from: other.store, with: known), with: all))
    #expect(own.record.lastImport?.unknownActions.isEmpty == true)
    #expect(other.visits == Visits(count: 1, text: "a"))
    #expect(other.store.state.sold == 1)
  }
}
