use super::{index_of, order, put, ranked};

#[test]
fn mem0_4884_a_chinese_question_ranks_the_right_one_of_a_thousand_first() {
    let people = ["小王", "李明", "张伟", "陈静", "刘洋", "赵丽", "周强", "吴敏", "郑浩", "孙芳"];
    let places = ["北京", "上海", "广州", "成都", "杭州", "西安", "武汉", "南京", "重庆", "青岛"];
    let things =
        ["喝咖啡", "打篮球", "学钢琴", "看电影", "写代码", "爬山", "游泳", "做饭", "画画", "钓鱼"];
    let mut texts = Vec::new();
    for person in people {
        for place in places {
            texts.extend(things.map(|thing| format!("{person}周末喜欢在{place}{thing}。")));
        }
    }
    let index = index_of((0..).zip(texts.iter().map(String::as_str)));
    assert_eq!(index.document_count(), 1_000);
    for wanted in [0_u32, 123, 456, 999] {
        let at = wanted as usize;
        let (person, place, thing) = (people[at / 100], places[at / 10 % 10], things[at % 10]);
        let question = format!("谁在{place}{thing}，是{person}吗？");
        let found = order(ranked(&question, &[&index]));
        assert_eq!(found.first(), Some(&wanted), "{question}");
    }
}

#[test]
fn hermes_agent_44040_a_long_question_ranks_the_entry_that_shares_three_words_first() {
    let mut index = index_of((0..200).map(|doc| (doc, "we talked about moving house before")));
    put(&mut index, 900, "", 0, "The dog goes to the vet on Elm Street, a small clinic.");
    let question = "could you please remind me again which vet clinic our old dog visited \
                    before moving house";
    assert_eq!(order(ranked(question, &[&index])).first(), Some(&900));
}
