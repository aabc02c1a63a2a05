import { Plus } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from './button.tsx'

/** Rows of inputs under one label, with the button that adds one, and one hint or its faults; `children` gets their id. */
export function InputRows({
  label,
  heard,
  hint,
  faults,
  add,
  onAdd,
  children,
}: {
  label: string
  /** Said behind the label where it is heard. */
  heard?: string | undefined
  hint?: ReactNode
  faults: string[] | undefined
  /** The text of the button that adds a row. */
  add: string
  /** Null where there is no room for more. */
  onAdd: (() => void) | null
  children: (saidId: string) => ReactNode
}) {
  const saidId = `${useId()}-said`
  return (
    <fieldset aria-describedby={saidId}>
      <legend className="mb-1 font-medium">
        {label}
        {heard && <span className="sr-only"> {heard}</span>}
      </legend>
      <div className="flex flex-col gap-2">
        {children(saidId)}
        {onAdd && (
          <Button size="small" className="h-9 self-start" onClick={onAdd}>
            <Plus aria-hidden size={16} />
            {add}
          </Button>
        )}
      </div>
      <p id={saidId} className={`mt-1 text-sm ${faults ? 'text-down' : 'text-soft'}`}>
        {faults ? faults.join('; ') : hint}
      </p>
    </fieldset>
  )
}
