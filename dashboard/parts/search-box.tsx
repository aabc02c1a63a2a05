import { useEffect, useRef, useState } from 'react'
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
  const asked = useRef(value)
  useEffect(() => {
    // Something other than this box changed the address.
    if (value !== asked.current) setText(value)
    asked.current = value
  }, [value])
  useEffect(() => {
    if (text === asked.current) return
    const timer = setTimeout(() => {
      asked.current = text
      onChange(text)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  })
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
