import FluxCore

extension DifferenceWalk {
  /// Compares the stored properties of two structures of the same type.
  mutating func compareFields(
    _ fields: [StoredField], _ old: Any, _ new: Any, _ type: PairType, path: PartPath
  ) {
    guard !fields.isEmpty, !describeThemselves(old, new, type, path: path) else {
      return note(old, new, type, path: path)
    }
    let identities = secretIdentities(old, new, path: path)
    for field in fields {
      if redaction.isNone {
        compareField(field, old, new, path: path)
      } else {
        compareProperty(field.name, field.value(in: old), field.value(in: new), identities, path: path)
      }
      if isTruncated { return }
    }
  }

  /// Compares a stored property, and describes its path only if the values are not alike.
  private mutating func compareField(_ field: StoredField, _ old: Any, _ new: Any, path: PartPath) {
    guard mayCompare() else { return }
    let areAlike = field.areAlike(in: old, new)
    if areAlike == true { return }
    let (old, new) = (field.value(in: old), field.value(in: new))
    let type = PairType(old, new, declared: field.facts)
    if areAlike == false || type.tracksChanges(old) || !type.areAlike(old, new) {
      lookInto(old, new, type, path: path.property(field.name))
    }
  }

  mutating func compareProperties(
    _ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror, _ type: PairType, path: PartPath
  ) {
    let oldProperties = oldMirror.levels.flatMap { Array($0) }
    let newProperties = newMirror.levels.flatMap { Array($0) }
    guard !oldProperties.isEmpty, oldProperties.count == newProperties.count,
      !describeThemselves(old, new, type, path: path)
    else {
      return note(old, new, type, path: path)
    }
    let identities = secretIdentities(old, new, path: path)
    for (position, (old, new)) in zip(oldProperties, newProperties).enumerated() {
      let name = Mirror.name(of: old, at: position, inTuple: oldMirror.displayStyle == .tuple)
      compareProperty(name, old.value, new.value, identities, path: path)
      if isTruncated { return }
    }
  }

  private mutating func compareProperty(
    _ name: String, _ old: Any, _ new: Any, _ identities: [SecretIdentity], path: PartPath
  ) {
    let place = path.property(name)
    if redaction.hides(name, at: place)
      || identities.contains(where: { $0.isShown(by: old) || $0.isShown(by: new) })
    {
      compareHidden(old, new, path: place)
    } else {
      compare(old, new, path: place)
    }
  }

  private func secretIdentities(_ old: Any, _ new: Any, path: PartPath) -> [SecretIdentity] {
    if redaction.isNone { return [] }
    return [old, new].compactMap {
      SecretIdentity(of: ValuePart($0, label: "", at: path, redacting: redaction))
    }
  }

  /// Returns whether both values have custom descriptions that differ and do not contain
  /// secrets.
  private func describeThemselves(_ old: Any, _ new: Any, _ type: PairType, path: PartPath) -> Bool {
    guard type.describesItself(old), let old = old as? any CustomStringConvertible,
      let new = new as? any CustomStringConvertible
    else { return false }
    guard old.description != new.description else { return false }
    if redaction.isNone { return true }
    return redaction.text(of: old, at: path) == old.description
      && redaction.text(of: new, at: path) == new.description
  }
}
