import { useSearch } from 'wouter-preact'
import type { AlertRule } from '../../contract/alerts.ts'
import { pages } from '../../contract/pages.ts'
import type { TabLink } from '../components/page-head.tsx'
import { counted } from '../format.ts'

const tabs = { firing: 'Firing', rules: 'Rules', delivery: 'Delivery' } as const
export type AlertTab = keyof typeof tabs

const parameter = 'tab'

/** The address of a tab. The rules are the page itself: links to it without a tab make an alert. */
export const tabHref = (tab: AlertTab): string =>
  tab === 'rules' ? pages.alerts : `${pages.alerts}?${parameter}=${tab}`

/** The tab in the address. */
export function useTab(): AlertTab {
  const given = new URLSearchParams(useSearch()).get(parameter)
  return given === 'firing' || given === 'delivery' ? given : 'rules'
}

/** The tabs below the title, with the number of firing rules. */
export function tabLinks(current: AlertTab, rules: readonly AlertRule[] = []): TabLink[] {
  const firing = rules.filter(({ status }) => status === 'firing').length
  return (Object.keys(tabs) as AlertTab[]).map((tab) => ({
    href: tabHref(tab),
    title: tabs[tab],
    isCurrent: tab === current,
    count:
      tab === 'firing' && firing > 0
        ? { count: firing, words: `${counted(firing, 'alert')} firing`, isBad: true }
        : undefined,
  }))
}
