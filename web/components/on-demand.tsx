import type { ComponentType, VNode } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/**
 * A component that is loaded when it is first drawn, with `awaited` in its place until then. The boundary around it reports when it cannot be
 * loaded. (`lazy` is part of preact/compat, which takes `onChange` of a field for `onInput`: each key would be a change.)
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  awaited: VNode | null = null,
) {
  let Loaded: ComponentType<Props> | undefined
  return function OnDemand(props: Props) {
    const [, setDone] = useState(false)
    const [failure, setFailure] = useState<Error>()
    useLayoutEffect(() => {
      if (Loaded) return
      load().then((component) => {
        Loaded = component
        setDone(true)
      }, setFailure)
    }, [])
    if (failure) throw failure
    return Loaded ? <Loaded {...props} /> : awaited
  }
}
