import { type ReactNode, useState } from 'react'
import type { Form } from '../use-form.ts'

/** Fields that most people leave at their defaults. They open on demand, and when one of them has an error. */
export function FoldedFields({
  title,
  said,
  names,
  form,
  opened = false,
  children,
}: {
  title: string
  /** The values that are set, in words. */
  said?: string
  names: readonly string[]
  form: Form
  /** At first. */
  opened?: boolean
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(opened)
  const isFaulty = names.some((name) => form.faults(name))
  return (
    <details
      open={isOpen || isFaulty}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-lg border border-line bg-panel"
    >
      <summary className="min-h-9 px-4 py-3 font-medium">
        {title}
        {said && <span className="ml-2 font-normal text-soft">{said}</span>}
      </summary>
      <div className="grid items-start gap-4 border-t border-line p-4 sm:grid-cols-2 sm:[&>fieldset]:col-span-2">
        {children}
      </div>
    </details>
  )
}
