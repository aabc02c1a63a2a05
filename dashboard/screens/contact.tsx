import { PageHead } from '../parts/panel.tsx'

export default function Contact() {
  return <PageHead title="Contact" />
}
