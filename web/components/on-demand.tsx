import type { ComponentType, VNode } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** The first figures come before the parts of the frame. */
export const afterFigures = () => new Promise((resolve) => setTimeout(resolve, 1500))

/** A script of the page cannot be loaded: the service is away, or has another release by now. */
export class MissingPart extends Error {}

/**
 * A component that is loaded when it is first drawn, with `awaited` in its place until then. If it cannot be loaded, `Missing` takes its place, or
 * the boundary around it reports that. (`lazy` is part of preact/compat, which takes `onChange` of a field for `onInput`: each key would be a change.)
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  awaited: VNode | null = null,
  Missing?: ComponentType<Props>,
) {
  let Loaded: ComponentType<Props> | undefined
  return function OnDemand(props: Props) {
    const [done, setDone] = useState({ hadFocus: false })
    const [failure, setFailure] = useState<Error>()
    useLayoutEffect(() => {
      if (Loaded) return
      load().then(
        (component) => {
          Loaded = component
          // Runs in its own task: together with the start of its script, the first render would block the page for more than 50 ms.
          setTimeout(() => setDone({ hadFocus: document.activeElement?.id === 'content' }))
        },
        (cause: Error) => setFailure(new MissingPart(cause.message)),
      )
    }, [])
    // The placeholder had the focus, and is gone.
    useLayoutEffect(() => {
      if (done.hadFocus) document.getElementById('content')?.focus({ preventScroll: true })
    }, [done])
    if (failure && Missing) return <Missing {...props} />
    if (failure) throw failure
    return Loaded ? <Loaded {...props} /> : awaited
  }
}
