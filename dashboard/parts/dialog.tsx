import { type ReactNode, useEffect, useId, useRef } from 'react'

/** The platform's own modal dialog: it traps the focus, closes on Escape and gives the focus back. */
export function Dialog({
  title,
  open,
  onClose,
  children,
  wide = false,
}: {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
  wide?: boolean
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (open && !dialog?.open) dialog?.showModal()
    if (!open && dialog?.open) dialog.close()
  }, [open])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the platform closes it on Escape
    <dialog
      ref={ref}
      aria-labelledby={id}
      // The event comes a moment after the end: by then the dialog may be open again.
      onClose={() => {
        if (ref.current?.open) return
        goOnFromContent()
        onClose()
      }}
      onClick={(event) => event.target === ref.current && ref.current.close()}
      className={`w-[calc(100%-2rem)] rounded-lg border border-line bg-panel p-0 text-ink shadow-float ${wide ? 'max-w-2xl' : 'max-w-md'}`}
    >
      <div className="p-5">
        <h2 id={id} className="mb-3 text-lg font-semibold">
          {title}
        </h2>
        {open && children}
      </div>
    </dialog>
  )
}

/** A dialog that an address opened, or whose button is gone, gives the focus to nothing: the keyboard goes on from here. */
function goOnFromContent() {
  if (document.activeElement !== document.body) return
  document.querySelector('main')?.focus({ preventScroll: true })
}
