import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { CollisionPanel } from './collision-panel.tsx'
import type { Form } from './use-form.ts'

/** A form with its button, and with what was refused for a reason that no field shows. */
export function FormFrame({
  form,
  verb,
  children,
  beside,
  guarded = true,
  className = 'flex flex-col gap-5',
}: {
  form: Form
  /** What the button says. */
  verb: string
  children: ReactNode
  /** What stands beside the button. */
  beside?: ReactNode
  /** Asks before somebody leaves with changes that are not saved. */
  guarded?: boolean
  className?: string
}) {
  return (
    <form ref={form.element} onSubmit={form.submit} noValidate className={className}>
      {children}
      {form.collision && <CollisionPanel collision={form.collision} busy={form.busy} />}
      <div className="flex flex-wrap items-center gap-2">
        {!form.collision && (
          <Button type="submit" tone="main" busy={form.busy}>
            {verb}
          </Button>
        )}
        {beside}
        {form.refusal !== null && (
          <p role="alert" className="basis-full text-down">
            {form.refusal}
          </p>
        )}
      </div>
      {guarded && <LeaveGuard form={form} />}
    </form>
  )
}

function LeaveGuard({ form: { isDirty } }: { form: Form }) {
  const blocker = useBlocker({
    // The same screen with another search is no leaving.
    shouldBlockFn: ({ current, next }) => isDirty.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty.current,
    withResolver: true,
  })
  return (
    <Confirm
      title="Leave without saving?"
      verb="Leave"
      open={blocker.status === 'blocked'}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      Your changes will be lost.
    </Confirm>
  )
}
