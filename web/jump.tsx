import './jump.css'
import { useSignal } from '@preact/signals'
import { useQuery } from '@tanstack/preact-query'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useLocation, useSearch } from 'wouter-preact'
import { machineListQuery } from './api/machines.ts'
import { namesQuery, type User } from './api/queries.ts'
import { Icon } from './components/icon.tsx'
import { outlines } from './components/outlines.ts'
import { found, gpuTarget, machineTarget, pageTargets, type Target } from './jump-list.ts'
import { signOut } from './session.ts'
import { chooseTheme, theme } from './theme.ts'

interface JumpProps {
  user: User
  onClose: () => void
  openKeys: () => void
}

const optionId = (index: number) => `jump-${index}`

/** A search over pages, own machines, GPU types and settings. */
export function Jump({ user, onClose, openKeys }: JumpProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useSignal('')
  const at = useSignal(0)
  const [path, navigate] = useLocation()
  const search = useSearch()
  const machines = useQuery(machineListQuery()).data?.machines
  const names = useQuery(namesQuery()).data
  useEffect(() => dialog.current?.showModal(), [])
  const targets = useMemo(
    () => [
      ...pageTargets(user, path, search),
      ...(machines ?? []).map(machineTarget),
      ...(names ?? []).map(({ name }) => gpuTarget(name)),
      ...settings(openKeys),
    ],
    [user, path, search, machines, names, openKeys],
  )
  const shown = found(targets, text.value)
  const chosen = Math.min(at.value, shown.length - 1)

  function open(target: Target | undefined): void {
    if (!target) return
    dialog.current?.close()
    if (typeof target.to === 'string') navigate(target.to)
    else target.to()
  }
  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const move = moves[event.key]
    if (move !== undefined && shown.length > 0) {
      event.preventDefault()
      at.value = (chosen + move + shown.length) % shown.length
      document.getElementById(optionId(at.value))?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      open(shown[chosen])
    }
  }
  return (
    <dialog
      ref={dialog}
      class="jump-dialog"
      aria-label="Jump to"
      onClose={onClose}
      onPointerDown={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div class="jump-field">
        <Icon outline={outlines.search} />
        <input
          type="text"
          role="combobox"
          aria-label="Page, machine, GPU type or setting"
          aria-expanded="true"
          aria-controls="jump-found"
          aria-autocomplete="list"
          aria-activedescendant={shown.length > 0 ? optionId(chosen) : undefined}
          placeholder="Jump to a page, machine, GPU type"
          autocomplete="off"
          spellcheck={false}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
            at.value = 0
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <div id="jump-found" role="listbox" aria-label="Found">
        {shown.map((target, index) => (
          <Option
            key={`${target.group} ${target.title}`}
            target={target}
            id={optionId(index)}
            isChosen={index === chosen}
            isFirst={target.group !== shown[index - 1]?.group}
            onEnter={() => {
              at.value = index
            }}
            onOpen={() => open(target)}
          />
        ))}
      </div>
      <p class={shown.length > 0 ? 'unseen' : 'nothing quiet'} role="status">
        {shown.length > 0 ? `${shown.length} found` : 'Nothing has this name.'}
      </p>
    </dialog>
  )
}

interface OptionProps {
  target: Target
  id: string
  isChosen: boolean
  isFirst: boolean
  onEnter: () => void
  onOpen: () => void
}

const Option = ({ target: { group, title, about }, id, isChosen, isFirst, onEnter, onOpen }: OptionProps) => (
  // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the chosen option
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
  <div id={id} role="option" aria-selected={isChosen} onPointerMove={onEnter} onClick={onOpen}>
    <span class="group">{isFirst && group}</span>
    <span dir="auto">{title}</span>
    <span class="quiet">{about}</span>
  </div>
)

function settings(openKeys: () => void): Target[] {
  const other = theme.value === 'dark' ? 'light' : 'dark'
  const setting = (title: string, to: () => void): Target => ({ group: 'Settings', title, about: '', to })
  return [
    setting(`Use the ${other} theme`, () => chooseTheme(other)),
    setting('Keys', openKeys),
    setting('Sign out', () => signOut()),
  ]
}
