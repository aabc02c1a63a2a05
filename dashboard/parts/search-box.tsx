import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '../language/language.ts'
import { TextField } from './field.tsx'

const TYPING_MS = 120

/** Searches once the typing pauses. */
export function SearchBox({
  value,
  placeholder,
  onChange,
}: {
  value: string
  placeholder: string
  onChange: (text: string) => void
}) {
  const [text, setText] = useState(value)
  /** The text that the address has, and behind it those that it was asked to take since. */
  const asked = useRef([value])
  useEffect(() => {
    const taken = asked.current.lastIndexOf(value)
    // Something other than this box changed the address.
    if (taken === -1) setText(value)
    asked.current = taken === -1 ? [value] : asked.current.slice(taken)
  }, [value])
  const askFor = useEffectEvent(() => {
    asked.current.push(text)
    onChange(text)
  })
  // Drawing again does not begin the pause anew: on a busy screen it would never end.
  useEffect(() => {
    if (text === asked.current.at(-1)) return
    const timer = setTimeout(askFor, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextField
      label={t('Search')}
      type="search"
      value={text}
      placeholder={placeholder}
      className="col-span-2 lg:col-span-1"
      onChange={({ target }) => setText(target.value)}
    />
  )
}
