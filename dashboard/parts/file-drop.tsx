import { type ReactNode, useRef, useState } from 'react'
import { t } from '../language/language.ts'
import { Button } from './button.tsx'

/** A button that chooses files, and a place where they can be dropped: all around it. */
export function FileDrop({
  label,
  accept,
  many = false,
  disabled = false,
  onFiles,
  children,
}: {
  /** The text of the button. */
  label: string
  accept: string
  many?: boolean
  disabled?: boolean
  onFiles: (files: File[]) => void
  children?: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const give = (files: FileList | null | undefined) => {
    const given = [...(files ?? [])]
    if (given.length > 0 && !disabled) onFiles(many ? given : given.slice(0, 1))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are chosen by the button, too
    <div
      className={`flex flex-col gap-3 rounded-md p-1 -m-1 ${isOver ? 'outline-2 outline-dashed outline-accent' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        give(event.dataTransfer.files)
      }}
    >
      {children}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <input
          ref={input}
          type="file"
          accept={accept}
          multiple={many}
          aria-label={label}
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            give(target.files)
            // The same file can be chosen again, once it is another.
            target.value = ''
          }}
        />
        <Button disabled={disabled} onClick={() => input.current?.click()}>
          {label}
        </Button>
        <span className="text-sm text-soft">
          {many ? t('Or drop files here.') : t('Or drop a file here.')}
        </span>
      </div>
    </div>
  )
}
