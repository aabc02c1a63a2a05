import { useState } from 'react'
import { hidden } from '../language/hidden.tsx'
import { rich } from '../language/language.ts'
import { Button } from './button.tsx'

const SHOWN_MS = 2_000

/** Text with a button that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-start gap-2">
      <code
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="min-w-0 flex-1 overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm whitespace-pre"
      >
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  )
}

export function CopyButton({
  text,
  label,
  className = '',
}: {
  text: string
  label: string
  className?: string
}) {
  const [copied, setCopied] = useState(false)
  async function copy() {
    if (!(await copyText(text))) return
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <Button onClick={copy} className={className}>
      <span>
        {copied
          ? rich('Copied<hidden> {what}</hidden>', { what: label, hidden })
          : rich('Copy<hidden> {what}</hidden>', { what: label, hidden })}
      </span>
    </Button>
  )
}

/** Browsers hide the clipboard from pages over plain http; the old way works there too. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    if (copied) return true
  }
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'sr-only'
  // While a dialog is open, nothing outside it can be selected.
  ;(document.querySelector('dialog[open]') ?? document.body).append(area)
  const focused = document.activeElement
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
