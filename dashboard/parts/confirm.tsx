import type { ReactNode } from 'react'
import { t } from '../language/language.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** Asks before something that cannot easily be undone; `verb` is the text of the button. */
export function Confirm({
  title,
  verb,
  tone = 'danger',
  open,
  busy = false,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  verb: string
  tone?: 'danger' | 'main'
  open: boolean
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <div className="text-soft">{children}</div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button tone={tone} busy={busy} onClick={onConfirm}>
          {verb}
        </Button>
      </div>
    </Dialog>
  )
}
