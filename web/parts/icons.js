// The icons of the page: one set, drawn with lines of one width.

import {svg} from "../lib/dom.js"

const paths = {
	mark: "M3 11.5 12 4l9 7.5M5.5 9.5V20h5v-6h3v6h5V9.5",
	today: "M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8M8.5 15.5l2.5 2 4.5-4",
	tomorrow: "M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8M8 15.3h8M13.5 12.8l2.5 2.5-2.5 2.5",
	list: "M4 5h5v5H4zM4 14h5v5H4zM12.5 6h7.5M12.5 9h4.5M12.5 15h7.5M12.5 18h4.5",
	triage: "M4 13.5 6.5 5h11L20 13.5V19H4zM4 13.5h5l1 2.5h4l1-2.5h5",
	add: "M12 5v14M5 12h14",
	more: "M5 12a1 1 0 0 0 2 0 1 1 0 0 0-2 0M11 12a1 1 0 0 0 2 0 1 1 0 0 0-2 0M17 12a1 1 0 0 0 2 0 1 1 0 0 0-2 0",
	undo: "M8.5 5 4 9.5 8.5 14M4.5 9.5H15a4.5 4.5 0 0 1 0 9h-4",
	follow: "M12 20S4 15 4 9.3A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.3C20 15 12 20 12 20z",
	dismiss: "M6 6l12 12M18 6 6 18",
	bell: "M12 3.5a6 6 0 0 0-6 6v4L4 17.5h16L18 13.5v-4a6 6 0 0 0-6-6zM9.8 20.5a2.3 2.3 0 0 0 4.4 0",
	star: "M12 3.8l2.5 5.3 5.8.7-4.3 4 1.1 5.7-5.1-2.8-5.1 2.8L8 13.8l-4.3-4 5.8-.7z",
	left: "M14.5 5.5 8 12l6.5 6.5",
	right: "M9.5 5.5 16 12l-6.5 6.5",
	minus: "M5 12h14",
	sight: "M3 12c3-5 6-6.5 9-6.5s6 1.5 9 6.5c-3 5-6 6.5-9 6.5S6 17 3 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
	whole: "M9.5 4H4v5.5M14.5 4H20v5.5M9.5 20H4v-5.5M14.5 20H20v-5.5",
	phone: "M7 3.5H4.5A1 1 0 0 0 3.5 4.6C4 13 11 20 19.4 20.5a1 1 0 0 0 1.1-1V17l-4-1.8-2 2A13 13 0 0 1 6.8 9.5l2-2z",
	message: "M4 5h16v11.5h-8.5L7 20v-3.5H4z",
	share: "M12 15V4M8 7.5 12 3.5l4 4M8.5 10.5H6V20h12v-9.5h-2.5",
	edit: "M4.5 19.5l1-4.2L16.2 4.6a1.5 1.5 0 0 1 2.1 0l1.1 1.1a1.5 1.5 0 0 1 0 2.1L8.7 18.5z",
	done: "M5 12.5l4.5 4.5L19 7.5",
	link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1",
	saved: "M7 4h10v16l-5-4-5 4z",
	rule: "M13 3 5 13.5h6L10 21l8-10.5h-6z",
	print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
	down: "M6 9.5l6 6 6-6",
	visits: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2",
	map: "M4 6.5 9.5 4l5 2.5L20 4v13.5L14.5 20l-5-2.5L4 20zM9.5 4v13.5M14.5 6.5V20",
	duplicates: "M8.5 8.5H20V20H8.5zM15.5 8.5V4H4v11.5h4.5",
	prices: "M4 4v16h16M8 16l4-5 3 2.5L20 7",
	settings: "M4 7.5h9M17 7.5h3M4 16.5h3M11 16.5h9M13 7.5a2 2 0 0 0 4 0 2 2 0 0 0-4 0M7 16.5a2 2 0 0 0 4 0 2 2 0 0 0-4 0",
	import: "M12 4v10M8 10.5l4 4 4-4M4 15v5h16v-5",
	start: "M5.5 21V4h12l-2 4 2 4h-12",
	keys: "M3.5 6.5h17v11h-17zM7 10h.5M10.5 10h.5M14 10h.5M17 10h.5M8 14h8",
	person: "M12 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM5 20c0-4 3-6 7-6s7 2 7 6",
	sign_out: "M14 4H5v16h9M10 12h10M16.5 8.5 20 12l-3.5 3.5",
	forget: "M4.5 7h15M9.5 7V4h5v3M6.5 7l1 13h9l1-13",
	compare: "M4 8.5h15M15.5 5 19 8.5 15.5 12M20 15.5H5M8.5 12 5 15.5 8.5 19",
}

// icon draws the icon with a name.
export const icon = name => svg("svg", {class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true"},
	svg("path", {d: paths[name]}))
