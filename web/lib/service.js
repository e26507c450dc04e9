// Identifies the service and its data. A browser has one storage for all services that a host has or ever had. So each
// stored name has the path of the page and the id of the data (keptAs), and each request has that id (api.js). Nothing
// of one service is ever shown by another or sent to it.

// inPage returns a value that the service writes into the page.
const inPage = name => document.querySelector(`meta[name=flats-${name}]`).content

// servicePath is the path of the folder that has the page.
export const servicePath = new URL(document.baseURI).pathname.replace(/[^/]*$/, "")

// dataId identifies the flats. A sample has a new one after each start.
export const dataId = inPage("data")

export const isSample = inPage("sample") === "true"

// keptAs returns the name in storage for a name. Neither the path nor the id contains a space.
export const keptAs = name => `${servicePath} ${dataId} ${name}`
