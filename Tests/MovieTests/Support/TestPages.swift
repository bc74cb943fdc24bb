/// The JSON of a page of a library with two films a page.
func pageJSON(_ number: Int, of count: Int) -> String {
  let films = [number * 2 - 1, number * 2].map { id in
    """
    {"id": \(id), "title": "Film \(id)", "year": \(1900 + id), "director": "Director \(id)",
     "genres": ["drama"], "minutes": \(60 + id), "synopsis": "What happens in film \(id)."}
    """
  }
  return """
    {"page": \(number), "pages": \(count), "total": \(count * 2), "films": [\(films.joined(separator: ","))]}
    """
}
