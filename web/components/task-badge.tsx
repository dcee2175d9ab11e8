import type { TaskCount } from '../task-counts.ts'

const most = 99

/** The number of things to do beside the name of a page. */
export const TaskBadge = ({ of }: { of: TaskCount | undefined }) =>
  of ? (
    <>
      <span class={of.isBad ? 'count bad' : 'count'} aria-hidden="true">
        {of.count > most ? `${most}+` : of.count}
      </span>
      <span class="unseen">{of.words}</span>
    </>
  ) : null
