import Flux

/// Refuses to put a film on the wish list when there are twenty, which is more than anybody sees.
let wishLimit: Middleware<BrowserState> = transformActions(of: ToggleWish.self) { store, wish in
  let wished = store.state?.marks.wished ?? []
  if wished.count < 20 || wished.contains(wish.film) { return wish }
  return Show(screen: .trouble("Twenty films are enough. Take one off the wish list first."))
}
