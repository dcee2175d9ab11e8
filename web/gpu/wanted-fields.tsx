import { TypedNumber } from '../components/typed-number.tsx'
import { plain } from '../format.ts'
import { mostNeeded, neededOf, type useView, type View } from '../view.ts'

interface WantedFieldsProps {
  view: View
  change: ReturnType<typeof useView>[1]
  /** Shown where no price is typed. */
  placeholder: string
}

/** Selects the text, so that typing replaces the number. */
const selectAll = ({ currentTarget }: { currentTarget: HTMLInputElement }) => currentTarget.select()

/** The number of GPUs that a visitor needs, and the highest price of each. */
export const WantedFields = ({ view, change, placeholder }: WantedFieldsProps) => (
  <>
    <TypedNumber
      label="GPUs needed"
      min={1}
      max={mostNeeded}
      value={view.need}
      onClick={selectAll}
      onChange={(text) => change({ need: neededOf(Number(text)) }, { replace: true })}
    />
    <TypedNumber
      label="At most, USD/h each"
      min={0}
      step="any"
      placeholder={placeholder}
      value={view.most}
      onClick={selectAll}
      onChange={(text) => change({ most: Number(text) > 0 ? plain(Number(text)) : '' }, { replace: true })}
    />
  </>
)
