/** Makes Date go so many seconds ahead. A page gets the text of this function, so it uses nothing from outside. */
export function moveDate(seconds) {
  const RealDate = Date
  const now = () => RealDate.now() + seconds * 1000
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}
