module flats

go 1.25
