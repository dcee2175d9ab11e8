/** Moves Date ahead by seconds. A page receives the text of this function, so it uses no outer name. */
export function moveDate(seconds) {
  const RealDate = Date
  const now = () => RealDate.now() + seconds * 1000
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}
