import FluxCore
import FluxUI
import TestSupport
import Testing

@Suite struct BindingActionTests {
  @Test("the reducer of a binding action sets the field, lifted to the position of the form")
  func reducing() {
    let store = makeStore()
    store.dispatch(BindingAction(\LoginForm.email, "a@b"))
    store.dispatch(BindingAction(\LoginForm.remember, true))
    store.dispatch(BindingAction(\LoginForm.address.city, "Paris"))
    #expect(store.state.form == LoginForm(email: "a@b", remember: true, address: Address(city: "Paris")))
  }

  @Test("the log text of a binding action contains the field and the new value")
  func description() {
    #expect("\(BindingAction(\LoginForm.email, "a@b"))" == "LoginForm.email = \"a@b\"")
    #expect("\(BindingAction(\LoginForm.remember, true))" == "LoginForm.remember = true")
    #expect("\(BindingAction(\LoginForm.address.city, "Paris"))" == "LoginForm.address.city = \"Paris\"")
  }

  @Test("where a key path has no name, the log text contains the type, or a given name")
  func descriptionOfComputed() {
    #expect("\(BindingAction(\LoginForm.shout, "A"))" == "LoginForm.(String) = \"A\"")
    #expect("\(BindingAction(\LoginForm.shout, "A", named: "shout"))" == "LoginForm.shout = \"A\"")
  }

  @Test("two binding actions are equal if they set the same field to the same value")
  func equality() {
    let action = BindingAction(\LoginForm.email, "a")
    #expect(action == BindingAction(\LoginForm.email, "a"))
    #expect(action != BindingAction(\LoginForm.email, "b"))
    #expect(action != BindingAction(\LoginForm.shout, "a"))
    #expect(action != BindingAction(\LoginForm.remember, true))
  }

  @Test("reducers and middleware can read which field a binding action sets, and its value")
  func seen() {
    let action: any Action = BindingAction(\LoginForm.email, "a")
    let binding = action as? BindingAction<LoginForm>
    #expect(binding?.sets(\.email) == true)
    #expect(binding?.sets(\.remember) == false)
    #expect(binding?.value(of: \.email) == "a")
    #expect(binding?.value(of: \.remember) == nil)
    #expect(binding?.field == \LoginForm.email)
    #expect(binding?.value as? String == "a")
  }

  @Test("handlers may do additional work when a certain field is set")
  func handlers() {
    let reducer: ActionHandlers<LoginForm> = combine(
      BindingAction.reducer,
      on(BindingAction<LoginForm>.self) { form, action in
        if let email = action.value(of: \.email) { form.remember = email.isEmpty }
      })
    var form = LoginForm()
    reducer(&form, BindingAction(\LoginForm.email, ""))
    #expect(form.remember)
    reducer(&form, BindingAction(\LoginForm.email, "a"))
    #expect(form == LoginForm(email: "a"))
  }
}
