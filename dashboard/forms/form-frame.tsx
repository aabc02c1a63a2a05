import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { CollisionPanel } from './collision-panel.tsx'
import type { Form } from './use-form.ts'

/** A form with its button, and with refusals that belong to no field. */
export function FormFrame({
  form,
  verb,
  children,
  beside,
  onCancel,
  guarded = true,
  disabled = false,
  className = 'flex flex-col gap-5',
}: {
  form: Form
  /** The text of the button. */
  verb: string
  children: ReactNode
  /** Content beside the button. */
  beside?: ReactNode
  /** Closes the form, where it is part of a screen or stands in a dialog. */
  onCancel?: () => void
  /** Asks before unsaved changes are left behind. */
  guarded?: boolean
  /** There is nothing to send yet. */
  disabled?: boolean
  className?: string
}) {
  return (
    <form ref={form.element} onSubmit={form.submit} noValidate className={className}>
      {children}
      {form.collision && <CollisionPanel collision={form.collision} busy={form.busy} />}
      <div className="flex flex-wrap items-center gap-2">
        {!form.collision && (
          <Button type="submit" tone="main" busy={form.busy} disabled={disabled}>
            {verb}
          </Button>
        )}
        {beside}
        {onCancel && (
          <Button tone="quiet" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        )}
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

/** Asks before unsaved changes are left behind. */
export function LeaveGuard({ form: { isDirty } }: { form: Pick<Form, 'isDirty'> }) {
  const blocker = useBlocker({
    // Another search on the same screen does not count as leaving.
    shouldBlockFn: ({ current, next }) => isDirty.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty.current,
    withResolver: true,
  })
  return (
    <Confirm
      title={t('Leave without saving?')}
      verb={t('Leave')}
      open={blocker.status === 'blocked'}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {t('Your changes will be lost.')}
    </Confirm>
  )
}
